-- A connection keeps the plans that it made while the table was empty: reading all of it. It holds a record for each
-- student and lesson soon after.
alter function merge_progress set enable_seqscan = off;
