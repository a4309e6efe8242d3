FROM python:3.13-slim

WORKDIR /srv/billstream
RUN useradd --create-home billstream && install -d -o billstream /srv/files

COPY requirements.lock billstream ./
COPY app/install.py app/install.py
RUN python3 app/install.py requirements.lock

COPY . .
USER billstream
ENTRYPOINT []
CMD ["./billstream"]
