import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { Problem } from '../../../src/kernel/problem.ts';
import { png } from '../../fixtures/image-files.ts';
import { startNameServer } from './images-name-server.ts';
import { redirect, sendFile, startOrigin } from './images-origin.ts';
import { admitting, fetcherFor, outcomeOf } from './images-setup.ts';

const IMAGE = png(8, 8);

/** Answers whoever comes, on all addresses of the loopback network: what must not be reached. */
function startInside() {
  return startOrigin((socket) => sendFile(socket, IMAGE), undefined, '::');
}

describe('a host name', () => {
  test.each([
    ['loopback', ['127.0.0.2']],
    ['a private network', ['10.1.2.3']],
    ['a metadata service', ['169.254.169.254']],
    ['IPv6 loopback', ['::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a unique local address', ['fd00:ec2::254']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::1']],
    ['a public and a private address', ['127.0.0.1', '10.0.0.1']],
    ['a private and a public address', ['10.0.0.1', '127.0.0.1']],
    ['another name of a private address', ['a.example.org', 'b.example.org', '10.0.0.1']],
    ['another name of a public and a private address', ['a.example.org', '127.0.0.1', '10.0.0.1']],
    ['another name of IPv6 loopback', ['a.example.org', '::1']],
    ['a public address and IPv6 loopback', ['127.0.0.1', '::1']],
    [
      'many public addresses and one private at the end',
      [...Array.from({ length: 20 }, () => '127.0.0.1'), '192.168.0.1'],
    ],
  ])('is refused before a connection when it leads to %s', async (_name, addresses) => {
    await using inside = await startInside();
    await using names = await startNameServer(() => addresses);
    await using images = fetcherFor({ addressRule: admitting(inside.port), nameServers: [names.address] });
    expect(await outcomeOf(images, `http://image.example:${inside.port}/`)).toEqual({
      code: 'image_address_not_allowed',
      error: 'The image is at an IP address that is not on the public internet.',
    });
    expect(names.questions).toContain('image.example');
    expect(inside.connections).toBe(0);
  });

  test('is refused with a hint about the setting when a resolver answers with a fake IP address', async () => {
    await using names = await startNameServer(() => ['198.18.3.4']);
    await using images = fetcherFor({ nameServers: [names.address] });
    const refused = await outcomeOf(images, 'http://image.example/');
    expect(refused.code).toBe('image_address_not_allowed');
    expect(refused).toMatchObject({ error: expect.stringContaining('198.18.0.0/15') });
    expect(new Problem('image_address_not_allowed/fake').hint).toContain('fake-ip-filter');
  });

  test('is connected to at the checked IP address, even if the next reply differs', async () => {
    await using inside = await startInside();
    let questions = 0;
    await using names = await startNameServer(() => ((questions += 1) <= 2 ? ['127.0.0.1'] : ['127.0.0.2']));
    await using images = fetcherFor({ addressRule: admitting(inside.port), nameServers: [names.address] });
    const url = `http://image.example:${inside.port}/`;
    expect(await outcomeOf(images, url)).toMatchObject({ code: 'ok' });
    expect(names.questions).toHaveLength(2);
    expect(inside.reachedAt).toEqual(['127.0.0.1']);
    expect(await outcomeOf(images, url)).toMatchObject({ code: 'image_address_not_allowed' });
    expect(inside.connections).toBe(1);
  });

  test('is checked again when its IP address changes during a redirect to itself', async () => {
    let questions = 0;
    await using origin = await startOrigin((socket) => redirect(socket, '/inside'), undefined, '::');
    await using names = await startNameServer(() => ((questions += 1) <= 2 ? ['127.0.0.1'] : ['127.0.0.2']));
    await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
    expect(await outcomeOf(images, `http://image.example:${origin.port}/`)).toMatchObject({
      code: 'image_address_not_allowed',
    });
    expect(origin.reachedAt).toEqual(['127.0.0.1']);
  });
});

describe('a redirect', () => {
  const TARGETS: readonly (readonly [target: string, code: string])[] = [
    ['http://127.0.0.2:PORT/', 'image_address_not_allowed'],
    ['//127.0.0.2:PORT/', 'image_address_not_allowed'],
    ['http://2130706434:PORT/', 'image_address_not_allowed'],
    ['http://0x7f.2:PORT/', 'image_address_not_allowed'],
    ['http://0177.0.0.2:PORT/', 'image_address_not_allowed'],
    ['http://127.0.0.2.:PORT/', 'image_address_not_allowed'],
    ['http://１２７.0.0.2:PORT/', 'image_address_not_allowed'],
    ['http:\\\\127.0.0.2:PORT\\', 'image_address_not_allowed'],
    ['http://0.0.0.0:PORT/', 'image_address_not_allowed'],
    ['http://[::1]:PORT/', 'image_address_not_allowed'],
    ['http://[::]:PORT/', 'image_address_not_allowed'],
    ['http://[::ffff:127.0.0.1]:PORT/', 'image_address_not_allowed'],
    ['http://[::127.0.0.1]:PORT/', 'image_address_not_allowed'],
    ['http://[64:ff9b::7f00:1]/', 'image_address_not_allowed'],
    ['http://[fe80::1]/', 'image_address_not_allowed'],
    ['http://169.254.169.254/latest/meta-data/', 'image_address_not_allowed'],
    ['http://100.100.100.200/', 'image_address_not_allowed'],
    ['http://168.63.129.16/', 'image_address_not_allowed'],
    ['http://10.0.0.1/', 'image_address_not_allowed'],
    ['https://192.168.0.1/', 'image_address_not_allowed'],
    ['http://localhost:PORT/', 'image_address_not_allowed'],
    ['http://redis:PORT/', 'image_address_not_allowed'],
    ['http://metadata.google.internal/', 'image_address_not_allowed'],
    ['http://inside.example:PORT/', 'image_address_not_allowed'],
    ['http://user@127.0.0.1:PORT/', 'image_url_invalid'],
    ['http://127.0.0.1:6379/', 'image_url_invalid'],
    ['http://127.0.0.1:22/', 'image_url_invalid'],
    ['file:///etc/passwd', 'image_url_invalid'],
    ['ftp://127.0.0.1/', 'image_url_invalid'],
    ['gopher://127.0.0.1:6379/_', 'image_url_invalid'],
    ['data:image/png;base64,iVBORw0KGgo=', 'image_url_invalid'],
    ['http://', 'image_url_invalid'],
    [`/${'a'.repeat(2_048)}`, 'image_url_invalid'],
  ];

  test.each(TARGETS)('to %s fails with %s without asking that host', async (target, code) => {
    await using inside = await startInside();
    await using origin = await startOrigin((socket) =>
      redirect(socket, target.replace('PORT', String(inside.port))),
    );
    await using names = await startNameServer((name) =>
      name === 'inside.example' ? ['127.0.0.2'] : 'unknown',
    );
    await using images = fetcherFor({
      addressRule: admitting(origin.port, inside.port),
      nameServers: [names.address],
    });
    expect(await outcomeOf(images, `${origin.url}/`)).toMatchObject({ code });
    expect([origin.requests.length, inside.connections]).toEqual([1, 0]);
  });

  test('is checked at the last of three hops as at the first', async () => {
    await using inside = await startInside();
    await using origin = await startOrigin((socket, path) =>
      redirect(socket, path === '/2' ? `http://127.0.0.2:${inside.port}/` : `/${Number(path.slice(1)) + 1}`),
    );
    await using images = fetcherFor({ addressRule: admitting(origin.port, inside.port) });
    expect(await outcomeOf(images, `${origin.url}/0`)).toMatchObject({ code: 'image_address_not_allowed' });
    expect([origin.requests.length, inside.connections]).toEqual([3, 0]);
  });
});

describe('proxy variables of the environment', () => {
  test('do not route the traffic around the guard', async () => {
    const proxied: string[] = [];
    const proxy = createServer((request: IncomingMessage, response) => {
      proxied.push(request.url ?? '');
      response.end(IMAGE);
    });
    proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
      proxied.push(request.url ?? '');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      proxy.emit('connection', socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));

    // fetch() goes first: it shows that the variables are heeded at all.
    const program = `
      const { GuardedImageFetcher } = await import(${JSON.stringify(new URL('../../../src/images/guarded-image-fetcher.ts', import.meta.url).href)});
      await (await fetch('http://example.com/by-fetch')).arrayBuffer();
      const images = new GuardedImageFetcher({ allowsPrivate: true, userAgent: 'test' });
      const image = await images.fetch('${origin.url}/by-us', 'base64', '0', new AbortController().signal);
      const closed = new GuardedImageFetcher({ userAgent: 'test' });
      const code = await closed.fetch('${origin.url}/', 'base64', '0', new AbortController().signal).catch((e) => e.code);
      console.log(image.size, code);
    `;
    const env = { ...process.env, NODE_USE_ENV_PROXY: '1' };
    for (const name of ['http_proxy', 'https_proxy', 'all_proxy'])
      Object.assign(env, { [name]: url, [name.toUpperCase()]: url });
    for (const name of ['no_proxy', 'NO_PROXY']) Object.assign(env, { [name]: '' });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { env },
    );

    expect(stdout.trim()).toBe(`${IMAGE.length} image_address_not_allowed`);
    expect(proxied.join(' ')).toContain('/by-fetch');
    expect(proxied.join(' ')).not.toContain('by-us');
    expect(proxied.join(' ')).not.toContain('127.0.0.1');
    expect(origin.requests).toHaveLength(1);
    proxy.closeAllConnections();
    proxy.close();
  });
});
