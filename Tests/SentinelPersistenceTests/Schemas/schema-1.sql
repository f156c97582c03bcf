PRAGMA page_size = 4096;
PRAGMA auto_vacuum = incremental;
PRAGMA application_id = 0x536E746C;
BEGIN;
CREATE TABLE applications (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    icon TEXT NOT NULL,
    version TEXT NOT NULL,
    build TEXT NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO applications VALUES('com.example.Notes','Notes','com.example.Notes','1.2','345',1796015400000000,1796015500000000);
INSERT INTO applications VALUES('org.example.Player','Player','','','',1796015400000001,1796015400000001);
PRAGMA user_version = 1;
COMMIT;
PRAGMA journal_mode = wal;
