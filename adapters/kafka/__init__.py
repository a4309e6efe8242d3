"""Apache Kafka; the only place that imports its client."""
