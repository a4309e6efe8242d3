"""Documents on paper: their texts in the language of the reader, and the templates they go into."""
