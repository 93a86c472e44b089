import { MCP } from '../mcp/answer-mcp.ts';
import type { Endpoint } from './endpoint.ts';
import { LIVE, READY } from './health.ts';
import { KEY } from './key.ts';

/** Every path that belongs to no operation, in the order in which the documents list them. */
export const ENDPOINTS: readonly Endpoint[] = [KEY, LIVE, READY, MCP];
