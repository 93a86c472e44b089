// An `import` of node:http reads everything that it exports, WebSocket too, for which Node loads its whole fetch: 45 ms
// and 14 MB of every start, in a process that may never use it.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
