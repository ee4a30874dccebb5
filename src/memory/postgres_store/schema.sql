-- Whoever administers the database may have made the schema.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'memdoc') THEN CREATE SCHEMA memdoc; END IF;
END $$;
CREATE TABLE IF NOT EXISTS memdoc.version (version integer NOT NULL);
-- One row for each memory: where its journal ends. Locked by each commit.
CREATE TABLE memdoc.memory (
  memory text PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL
) WITH (fillfactor = 50);
-- The documents that there are, and those that were deleted, of which nothing is left but the last entry that changed them.
CREATE TABLE memdoc.document (
  memory text NOT NULL,
  name text COLLATE "C" NOT NULL,
  text bytea,
  revision text,
  tip bigint,
  PRIMARY KEY (memory, name)
);
-- The journal, a line for each entry.
CREATE TABLE memdoc.entry (
  memory text NOT NULL,
  seq bigint NOT NULL,
  hash text NOT NULL,
  attempt text,
  request text,
  line bytea NOT NULL,
  PRIMARY KEY (memory, seq)
);
-- Which entries changed a document.
CREATE TABLE memdoc.link (
  memory text NOT NULL,
  name text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (memory, name, seq)
);
