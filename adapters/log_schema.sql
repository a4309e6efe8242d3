-- The log and what must move in the same transaction as the log (design 4). Everything here is
-- written by append_commands alone, except for checkpoints, snapshots, answers and erased keys.

create table if not exists identity (
  one boolean primary key default true check (one),
  environment text not null,
  log_id uuid not null default gen_random_uuid()
);

create table if not exists events (
  position bigint primary key,
  recorded_at timestamptz not null,
  causation bigint,
  version integer not null,
  index smallint not null,
  stream uuid not null,
  organization uuid not null,
  owner uuid not null,
  command_id uuid not null,
  correlation_id uuid not null,
  name text not null,
  actor text not null,
  data bytea not null,
  sealed bytea
);
create unique index if not exists events_stream_version on events (stream, version);
create index if not exists events_command on events (command_id);
create index if not exists events_owner on events (owner, position);

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the log is append-only';
end $$;
create or replace trigger events_append_only before update or delete on events
  for each statement execute function refuse_change();

create table if not exists claims (
  claim uuid primary key,
  command_id uuid not null
);

create table if not exists keys (
  subject uuid primary key,
  wrapped bytea not null
);

create table if not exists secrets (
  id uuid primary key,
  sealed bytea not null
);

create table if not exists idempotency (
  organization uuid not null,
  key bytea not null,
  request bytea not null,
  command_id uuid not null,
  owner uuid not null,
  position bigint not null,
  created_at timestamptz not null,
  status smallint,
  body bytea,
  secret_until timestamptz,
  primary key (organization, key)
) with (fillfactor = 80);

create index if not exists idempotency_secrets on idempotency (secret_until)
  where secret_until is not null;

create table if not exists checkpoints (
  name text primary key,
  position bigint not null
) with (fillfactor = 10);

create table if not exists snapshots (
  name text,
  position bigint,
  data bytea not null,
  primary key (name, position)
);

-- Many commands in one transaction, each on its own whole or not at all. Once the lock is
-- held nobody else writes, so what is checked first still holds when it is inserted. The arrays
-- of one letter belong together; `_command` is the ordinal of the command in the batch:
--   e: (stream, version) that the decision rests on, written and only read streams alike
--   f: facts, in order    u: claims    s: secrets    i: idempotency rows
--   k: data keys that facts are sealed with; those that are not new must be there, or the fact
--      would be sealed with a key that was erased meanwhile
-- Two commands of one batch never write the same stream, claim or idempotency key; if they do, a
-- unique index fails the batch and the caller runs them one by one.
create or replace function append_commands(
  e_command int[], e_stream uuid[], e_version int[],
  f_command int[], f_stream uuid[], f_version int[], f_index smallint[], f_owner uuid[],
  f_name text[], f_data bytea[], f_sealed bytea[], f_organization uuid[], f_command_id uuid[],
  f_correlation_id uuid[], f_causation bigint[], f_actor text[],
  u_command int[], u_claim uuid[], u_command_id uuid[],
  k_command int[], k_subject uuid[], k_wrapped bytea[], k_new int[],
  s_command int[], s_id uuid[], s_sealed bytea[],
  i_command int[], i_organization uuid[], i_key bytea[], i_request bytea[], i_command_id uuid[],
  i_owner uuid[], i_offset int[],
  out base bigint, out at timestamptz, out refused int[], out reasons text[], out taken uuid[]
) language plpgsql as $$
begin
  -- Held until the commit is on disk and visible: position order = commit order. It is no row,
  -- because each update of a hot row leaves a version that a long snapshot (a backup) keeps alive.
  perform pg_advisory_xact_lock(27700462114074471);
  select e.position, e.recorded_at into base, at from events e order by e.position desc limit 1;
  base := coalesce(base, 0);
  at := greatest(at, clock_timestamp());

  select coalesce(array_agg(e.command), '{}') into refused
    from unnest(e_command, e_stream, e_version) as e(command, stream, version)
    where e.version <> coalesce((select w.version from events w where w.stream = e.stream
      order by w.version desc limit 1), 0);
  reasons := array_fill('version'::text, array[cardinality(refused)]);
  taken := array_fill(null::uuid, array[cardinality(refused)]);
  if cardinality(u_claim) + cardinality(k_subject) + cardinality(i_key) > 0 then
    select refused || coalesce(array_agg(r.command), '{}'),
        reasons || coalesce(array_agg(r.reason), '{}'), taken || coalesce(array_agg(r.claim), '{}')
      into refused, reasons, taken from (
        select u.command, 'claim' as reason, u.claim
          from unnest(u_command, u_claim) as u(command, claim)
          where exists (select from claims c where c.claim = u.claim)
        union all
        select k.command, 'key', null
          from unnest(k_command, k_subject, k_wrapped, k_new) as k(command, subject, wrapped, new)
          where coalesce((select y.wrapped <> k.wrapped from keys y where y.subject = k.subject),
            k.new = 0)
        union all
        select i.command, 'idempotency', null
          from unnest(i_command, i_organization, i_key) as i(command, organization, key)
          where exists (select from idempotency y
            where y.organization = i.organization and y.key = i.key)
      ) as r;
  end if;

  insert into events (position, recorded_at, causation, version, index, stream, organization,
      owner, command_id, correlation_id, name, actor, data, sealed)
    select base + f.i, at, f.causation, f.version, f.index, f.stream, f.organization, f.owner,
        f.command_id, f.correlation_id, f.name, f.actor, f.data, f.sealed
      from unnest(f_command, f_stream, f_version, f_index, f_owner, f_name, f_data, f_sealed,
        f_organization, f_command_id, f_correlation_id, f_causation, f_actor) with ordinality
        as f(command, stream, version, index, owner, name, data, sealed, organization,
          command_id, correlation_id, causation, actor, i)
      where f.command <> all (refused);
  if cardinality(u_claim) > 0 then
    insert into claims select u.claim, u.command_id
      from unnest(u_command, u_claim, u_command_id) as u(command, claim, command_id)
      where u.command <> all (refused);
  end if;
  if cardinality(k_subject) > 0 then
    insert into keys select k.subject, k.wrapped
      from unnest(k_command, k_subject, k_wrapped, k_new) as k(command, subject, wrapped, new)
      where k.new = 1 and k.command <> all (refused) on conflict do nothing;
  end if;
  if cardinality(s_id) > 0 then
    insert into secrets select s.id, s.sealed
      from unnest(s_command, s_id, s_sealed) as s(command, id, sealed)
      where s.command <> all (refused) on conflict (id) do update set sealed = excluded.sealed;
  end if;
  if cardinality(i_key) > 0 then
    insert into idempotency (organization, key, request, command_id, owner, position, created_at)
      select i.organization, i.key, i.request, i.command_id, i.owner, base + i.last, at
        from unnest(i_command, i_organization, i_key, i_request, i_command_id, i_owner, i_offset)
          as i(command, organization, key, request, command_id, owner, last)
        where i.command <> all (refused);
  end if;
end $$;
