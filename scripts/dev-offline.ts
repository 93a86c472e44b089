import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { startApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/telemetry/log.ts';
import { startSimulator, type Simulator } from '../test/simulator/simulator.ts';
import { curlLines } from './dev-offline/curl-lines.ts';
import { UserSession } from './dev-offline/user-session.ts';

// npm run dev:offline
// The service and a simulated Discord in one process: no account, no token, nothing leaves this machine. Lines at
// the prompt, or on standard input, are what a user does in Discord. Without standard input it goes on until it is
// killed: npm run dev:offline </dev/null >dev.log &
const GUILD_ID = '300000000000000000';
const ROLE_ID = '400000000000000000';
const ADMIN_ID = '200000000000000000';
const MEMBER_COUNT = 5_000;
/** One member in a hundred has the role. */
const ROLE_EVERY = 100;
/** Somebody who tries things out types more than a user may. */
const NO_LIMIT = 1_000_000;
/** More would hide what else is said at the start. */
const SHOWN_CURLS = 3;
/** 16 by 16 pixels, red. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAGUlEQVR4nGP8z0AaYCJR/aiGUQ1DSAMAQC4BH5CRwYcAAAAASUVORK5CYII=';

await main();

async function main(): Promise<void> {
  await using discord = await startSimulator({
    guilds: [
      {
        id: GUILD_ID,
        name: 'Home',
        ownerId: ADMIN_ID,
        roles: [{ id: ROLE_ID, name: 'Blue' }],
        members: {
          count: MEMBER_COUNT,
          firstId: BigInt(ADMIN_ID),
          rolesOf: (index) => (index % ROLE_EVERY === 1 ? [ROLE_ID] : []),
        },
      },
    ],
  });
  const app = await startService(discord);
  try {
    const curls = await printWelcome(app, discord);
    await runPrompt(discord, curls);
  } finally {
    await app.close();
  }
}

type App = Awaited<ReturnType<typeof startApp>>;

async function startService(discord: Simulator): Promise<App> {
  const port = String(await findPort(Number(process.env['PORT'] ?? 3_000)));
  const config = loadConfig({
    PORT: port,
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
    STORAGE_URL: 'memory:',
    IMAGE_ALLOW_PRIVATE: 'true',
    SHUTDOWN_TIMEOUT_MS: '1000',
    // What it warns about at a start, such as an address on this machine, is meant here.
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
  });
  const app = await startApp(config, createLog(config.logLevel), {
    limits: { commandsPerMinute: NO_LIMIT, commandImagesPerMinute: NO_LIMIT },
  });
  await discord.until(() => discord.bot().commands.length > 0);
  await untilListed(app.publicUrl);
  return app;
}

/** Some of the lines to paste ask who is in the server, which takes a moment to read. */
async function untilListed(url: string): Promise<void> {
  while (!(await (await fetch(`${url}/health/ready`)).text()).includes('"complete":1')) await delay(20);
}

/** The wanted port, or any free one when somebody else has it. */
async function findPort(wanted: number): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : wanted;
  } catch {
    return await findPort(0);
  } finally {
    server.close();
  }
}

/** @returns all lines that may be pasted; the first few are shown */
async function printWelcome(app: App, discord: Simulator): Promise<string[]> {
  const { key } = await app.keys.create({
    guildId: GUILD_ID,
    name: 'dev-offline',
    createdBy: ADMIN_ID,
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  const image = discord.cdn.put({ name: 'red.png', bytes: Buffer.from(IMAGE, 'base64') });
  const lines = curlLines({
    publicUrl: app.publicUrl,
    key,
    imageUrl: image.url,
    roleId: ROLE_ID,
    memberId: ADMIN_ID,
    botToken: discord.bot().token,
    webhookUrl: discord.addWebhook({ guildId: GUILD_ID }).url,
  });
  print(`Quartermaster and a simulated Discord are running. The server "Home" has ${MEMBER_COUNT} members.`);
  print(
    `Documents: ${app.publicUrl}/docs\n\nPaste any of these into another shell ("curl" prints all of them):\n\n${lines.slice(0, SHOWN_CURLS).join('\n')}\n`,
  );
  print(`Here you are the admin of "Home". Try: /settings key create name:demo\n"help" lists the rest.`);
  print(`The role Blue is ${ROLE_ID}. Try: /role-members role:${ROLE_ID}\n`);
  return lines;
}

async function runPrompt(discord: Simulator, curls: readonly string[]): Promise<void> {
  const memberId = discord.guild().members.page(ADMIN_ID, 1)[0]?.id ?? ADMIN_ID;
  const session = new UserSession({ discord, print, adminId: ADMIN_ID, memberId, curls });
  const isTerminal = process.stdin.isTTY;
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: '> ',
    terminal: isTerminal,
  });
  if (isTerminal) lines.prompt();
  let count = 0;
  for await (const line of lines) {
    count += 1;
    if (!isTerminal && line.trim() !== '') print(`> ${line}`);
    if (!(await session.run(line))) break;
    if (isTerminal) lines.prompt();
  }
  lines.close();
  // Nothing was ever typed: it runs in the background, for its API and its pages.
  if (count === 0 && !isTerminal) {
    print(`All lines to paste:\n\n${curls.join('\n')}\n`);
    await untilKilled();
  }
}

async function untilKilled(): Promise<void> {
  print(`Nobody can type commands here. The service keeps running; stop it with: kill ${process.pid}`);
  const stays = setInterval(() => {}, 60_000);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'SIGHUP')]);
  clearInterval(stays);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
