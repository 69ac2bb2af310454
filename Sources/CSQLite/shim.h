#pragma once
#include <sqlite3.h>

// Makes a connection wary of the schema of a stranger's database: no views, no triggers, no functions of the schema
// that could do more than compute. The function behind has a variable number of arguments, which Swift cannot call.
static inline void csqlite_distrust(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}
