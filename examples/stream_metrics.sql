-- Monthly recurring revenue, churn and cohort retention out of the facts in `events`.
-- Amounts are minor units at list price, before discounts and tax; a longer or shorter period counts with
-- its share of an average month.

set timezone = 'UTC'; -- months begin at midnight UTC

create or replace view steps as
select
  subject as subscription,
  coalesce((data->>'$.ended_at')::timestamptz, time) as happened,
  id,
  case
    when kind = 'created' then data->>'$.status' = 'active'
    when kind in ('activated', 'trial_converted', 'resumed') then true
    when kind in ('paused', 'canceled', 'incomplete_expired') then false
  end as paying,
  data->>'$.contract.amount.currency' as currency,
  (data->>'$.contract.amount.units')::decimal(18, 4)
    * case data->>'$.contract.terms.period'
        when 'DAILY' then 365.25 / 12
        when 'WEEKLY' then 365.25 / 12 / 7
        when 'TWENTY_EIGHT_DAYS' then 365.25 / 12 / 28
        when 'MONTHLY' then 1
        when 'THREE_MONTHS' then 1 / 3
        when 'SIX_MONTHS' then 1 / 6
        when 'YEARLY' then 1 / 12
      end as monthly -- null for what is sold once
from (select *, split_part(type, '.', 2) as kind from events where type like 'subscription.%')
where kind in (
  'created', 'activated', 'trial_converted', 'plan_changed', 'paused', 'resumed', 'canceled',
  'incomplete_expired');

-- What each subscription was worth, from when until when.
create or replace view stretches as
select
  subscription,
  happened as since,
  coalesce(lead(happened) over life, 'infinity'::timestamptz) as until,
  last_value(paying ignore nulls) over life as paying,
  last_value(currency ignore nulls) over life as currency,
  last_value(monthly ignore nulls) over life as monthly
from steps
window life as (partition by subscription order by happened, id rows unbounded preceding);

create or replace view worth as
select * from stretches where paying and monthly is not null and since < until;

create or replace view months as
select unnest(generate_series(
  date_trunc('month', min(since)) + interval 1 month,
  (select date_trunc('month', max(time)) + interval 1 month
   from events where type like 'subscription.%'),
  interval 1 month)) as month_end
from worth;

create or replace view mrr as
select
  (month_end - interval 1 day)::date as day, currency,
  round(sum(monthly))::bigint as mrr_units, count(*) as subscriptions
from months join worth on since < month_end and until >= month_end
group by all order by currency, day;

-- Of those who paid when the month began, the share who no longer did at its end.
create or replace view churn as
select
  (month_end - interval 1 day)::date as day,
  count(*) as began,
  count(*) filter (where not exists (
    select 1 from worth later
    where later.subscription = worth.subscription and later.since < month_end
      and later.until >= month_end)) as gone,
  round(100.0 * gone / began, 1) as percent
from months join worth on since < month_end - interval 1 month
  and until >= month_end - interval 1 month
group by all order by day;

create or replace view retention as
with born as (
  select subscription, date_trunc('month', min(since)) as cohort from worth group by all
),
ages as (
  select born.*, date_diff('month', cohort, month_end) - 1 as age, month_end
  from born join months on month_end > cohort
)
select
  cohort::date as cohort, age, count(*) as born,
  count(*) filter (where exists (
    select 1 from worth where worth.subscription = ages.subscription and since < month_end
      and until >= month_end)) as paying,
  round(100.0 * paying / born) as percent
from ages group by all order by cohort, age;
