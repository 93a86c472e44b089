/**
 * Shows the key that a first start makes, with a call to paste. It goes to stdout and not to the logger, because it can
 * be seen only now.
 * @param url of the API, without a slash at the end
 */
export function showFirstKey(key: string, url: string, version: string): void {
  process.stdout.write(
    `
Quartermaster ${version}. Documents, with a form for each operation: ${url}/docs

There was no API key yet, so here is one. It is shown only this once:

${key}

Try it:

curl ${url}/api/parse-args \\
  -H 'Authorization: ${key}' \\
  -d 'text=!tempban <@123456789012345678> 7d spamming links'

More keys: npm run --silent key -- create <guild_id>. To connect Discord, so that server admins make their keys with
/settings key create, put the token of your bot into DISCORD_TOKEN: docs/discord.md#set-up-the-bot says how.

`,
  );
}
