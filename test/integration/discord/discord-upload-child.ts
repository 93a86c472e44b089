// The image fetcher first, and alone: with everything in one graph Node would load its own undici before, and the
// order would say nothing.
await import('../../../src/images/guarded-image-fetcher.ts');
const { POLL } = await import('../../fixtures/poll.ts');
const { MEMBER_ID, openDiscordHarness } = await import('./discord-setup.ts');

await using harness = await openDiscordHarness();
const parsed = harness.users.slash('parse', { text: `!ban ${'word '.repeat(700)}` }, { userId: MEMBER_ID });
const first = await parsed.click('As JSON');
const edit = harness.users.slash('split', { text: 'short', as_file: true }, { userId: MEMBER_ID });
for (const interaction of [first, edit]) {
  const late = setTimeout(() => {
    process.stderr.write(harness.logLines.filter((line) => line.includes('did not reach')).join(''));
    process.exit(1);
  }, POLL.timeout);
  const { files } = await interaction.reply();
  clearTimeout(late);
  process.stdout.write(`${files.map(({ name, bytes }) => `${name} ${bytes.length > 0}`).join()}\n`);
}
