import { writeSync } from 'node:fs';

import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../src/storage/storage.ts';

// Makes and revokes keys until it is killed. A line is written, and has left the process, only after the
// change was acknowledged; `revoking` says that the outcome is open from now on.
const [storageUrl = '', firstGuild = '', name = ''] = process.argv.slice(2);
const keys = new GuildKeyStore(await openStorage(storageUrl, { commandTimeoutMs: 30_000 }));
const say = (line: string) => writeSync(1, `${line}\n`);

for (let guild = BigInt(firstGuild); ; guild += 1n) {
  const guildId = String(guild);
  for (let n = 1; n <= 4; n += 1) {
    const { key, entry } = await keys.create({
      guildId,
      name: `${name} ${n}`,
      createdBy: '42',
      expiresInDays: null,
      flat: false,
      always200: false,
    });
    say(`created ${key}`);
    if (n % 2 === 0) continue;
    say(`revoking ${key}`);
    await keys.revoke(guildId, entry.keyId);
    say(`revoked ${key}`);
  }
}
