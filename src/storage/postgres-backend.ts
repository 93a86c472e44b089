import { setTimeout as wait } from 'node:timers/promises';

import { Pool } from 'pg';

import { describeFailure, type Backend, type BackendOptions } from './backend.ts';

/** Connections of one process, as in pg's own default. */
const CONNECTIONS_MAX = 10;
/** Rows that are in memory at a time. */
const PAGE_ROWS = 200;
/** An arbitrary number that no other program should use for its advisory lock. */
const TABLE_LOCK = 7_136_201_455;

/** One table, `quartermaster_entries`. Keys are compared byte by byte, so that pages have an order. */
const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS quartermaster_entries (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (namespace, key)
)`;

export async function openPostgresBackend(
  url: string,
  { commandTimeoutMs, connectTimeoutMs }: BackendOptions,
): Promise<Backend> {
  const pool = new Pool({
    connectionString: url,
    application_name: 'quartermaster',
    max: CONNECTIONS_MAX,
    // Also covers the wait for a free connection, so that a slow database cannot block callers forever.
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: commandTimeoutMs,
    statement_timeout: commandTimeoutMs,
    keepAlive: true,
  });
  // The pool drops a connection that breaks while it is idle. Without a listener, that would end the process.
  pool.on('error', () => {});
  // The pool ends every connection with a message, and a peer that has vanished never answers it.
  const close = () => Promise.race([pool.end(), wait(commandTimeoutMs, undefined, { ref: false })]);

  try {
    await createTable(pool);
  } catch (cause) {
    await close();
    throw new Error(describeFailure('PostgreSQL', url, cause), { cause });
  }

  const query = (text: string, values: readonly string[]) =>
    pool.query<{ key: string; value: string }>(text, [...values]);
  async function changes(text: string, values: readonly string[]): Promise<boolean> {
    return (await query(text, values)).rowCount === 1;
  }

  return {
    createAdapter(namespace) {
      const at = 'WHERE namespace = $1 AND key = $2';
      const get = async (key: string) =>
        (await query(`SELECT value FROM quartermaster_entries ${at}`, [namespace, key])).rows[0]?.value;
      return {
        capabilities: { expires: true },
        namespace,
        get,
        async set(key, value) {
          await query(
            'INSERT INTO quartermaster_entries VALUES ($1, $2, $3) ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value',
            [namespace, key, value],
          );
          return true;
        },
        delete: (key) => changes(`DELETE FROM quartermaster_entries ${at}`, [namespace, key]),
        async *iterator() {
          let last = '';
          for (;;) {
            const { rows } = await query(
              `SELECT key, value FROM quartermaster_entries WHERE namespace = $1 AND key > $2 ORDER BY key LIMIT ${PAGE_ROWS}`,
              [namespace, last],
            );
            for (const row of rows) yield [row.key, row.value];
            if (rows.length < PAGE_ROWS) return;
            last = rows[PAGE_ROWS - 1]?.key ?? '';
          }
        },
        // Each is one statement, and so one transaction.
        async compareAndSet(key, expected, next) {
          if (expected === undefined) {
            if (next === undefined) return (await get(key)) === undefined;
            return changes('INSERT INTO quartermaster_entries VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
              namespace,
              key,
              next,
            ]);
          }
          if (next === undefined) {
            return changes(`DELETE FROM quartermaster_entries ${at} AND value = $3`, [
              namespace,
              key,
              expected,
            ]);
          }
          return changes(`UPDATE quartermaster_entries SET value = $4 ${at} AND value = $3`, [
            namespace,
            key,
            expected,
            next,
          ]);
        },
      };
    },
    async ping() {
      // Queries the table itself: a database that has lost it cannot keep keys.
      await query('SELECT 1 FROM quartermaster_entries LIMIT 1', []);
    },
    close,
  };
}

/** Lets one process at a time create the table, because two would collide in CREATE TABLE IF NOT EXISTS. */
async function createTable(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${TABLE_LOCK})`);
    await client.query(CREATE_TABLE);
    await client.query('COMMIT');
  } finally {
    // After a failure, the pool is closed with all its connections.
    client.release();
  }
}
