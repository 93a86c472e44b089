import { MCP } from '../mcp/answer-mcp.ts';
import type { Endpoint } from './endpoint.ts';
import { LIVE, READY } from './health.ts';
import { KEY } from './key.ts';

/** Every path that belongs to no operation, in the order of the documents. */
export const ENDPOINTS: readonly Endpoint[] = [KEY, LIVE, READY, MCP];
