/**
 * A bare Express to compare with, as its authors would start it: plain JavaScript, because Node keeps 15 MiB for a
 * TypeScript file that it has not seen before.
 */
export const BARE_EXPRESS = `
  import express from 'express';
  const app = express();
  app.get('/', (request, response) => response.json({}));
  app.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log('up'));`;
