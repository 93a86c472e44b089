import type { Backend } from './backend.ts';

/** For tests and trials: everything is lost when the process ends. */
export function openMemoryBackend(): Backend {
  const namespaces = new Map<string, Map<string, string>>();
  let isClosed = false;

  return {
    createAdapter(namespace) {
      const entries = namespaces.get(namespace) ?? new Map<string, string>();
      namespaces.set(namespace, entries);
      const open = () => {
        if (isClosed) throw new Error('The storage is closed');
        return entries;
      };
      return {
        capabilities: { expires: true },
        namespace,
        async get(key) {
          return open().get(key);
        },
        async set(key, value) {
          open().set(key, value);
          return true;
        },
        async delete(key) {
          return open().delete(key);
        },
        async *iterator() {
          yield* open().entries();
        },
        async compareAndSet(key, expected, next) {
          if (open().get(key) !== expected) return false;
          if (next === undefined) entries.delete(key);
          else entries.set(key, next);
          return true;
        },
      };
    },
    async ping() {
      if (isClosed) throw new Error('The storage is closed');
    },
    async close() {
      isClosed = true;
    },
  };
}
