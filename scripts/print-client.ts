import { clientSource } from '../src/http/openapi/client-source.ts';
import { OPERATIONS } from '../src/operations/index.ts';

// node scripts/print-client.ts > quartermaster.ts
process.stdout.write(clientSource(OPERATIONS, null));
