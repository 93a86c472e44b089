import { ConfigError, loadConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { createOpenApiDocument } from '../src/http/openapi/openapi-document.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { endWithReader } from './end-with-reader.ts';

// node scripts/print-openapi.ts > openapi.json
// Prints the document that a running service has at GET /openapi.json, for linters and generators.
endWithReader();
try {
  const { publicUrl, port } = loadConfig(readEnvironment());
  const document = createOpenApiDocument({
    operations: OPERATIONS,
    publicUrl: publicUrl ?? `http://localhost:${port}`,
  });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
