import { expect, test } from 'vitest';

import { startTestApp } from '../../fixtures/test-app.ts';
import { startNameServer } from './images-name-server.ts';

test.each([
  ['an unknown host name', 'http://secret-host.example/a.png', 'image_fetch_failed'],
  ['an IP address without a server', 'http://127.0.0.1:1/a.png', 'image_fetch_failed'],
  ['a host name without a server', 'http://local.example:1/a.png', 'image_fetch_failed'],
])('%s is logged as a failure of the user, without host or IP address', async (_name, url, code) => {
  await using names = await startNameServer((name) => (name === 'local.example' ? ['127.0.0.1'] : 'unknown'));
  await using app = await startTestApp(
    { IMAGE_ALLOW_PRIVATE: 'true' },
    { imageNameServers: [names.address] },
  );
  const reply = await app.call(`/api/image-to-base64?url=${encodeURIComponent(url)}`);
  expect(reply.body).toMatchObject({ code });
  const find = () => app.logLines.find((line) => line.includes(code));
  await expect.poll(find).toBeDefined();
  const line = find() ?? '';
  expect(JSON.parse(line)).toMatchObject({ level: 'info', code });
  expect(line).not.toMatch(/NotAnError|secret-host|local\.example|127\.0\.0\.1/);
});
