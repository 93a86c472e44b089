client.on('messageCreate', async (message) => {
  if (message.author.bot || !message.inGuild() || !/^!QM_COMMAND(\s|$)/.test(message.content)) return;
  const say = (content) =>
    message.reply({ content: content.slice(0, 2000), allowedMentions: { parse: [] } });
  try {
    // @if permission
    if (!message.member.permissions.has('QM_PERMISSION'))
      return await say('QM_NEEDS');
    // @end
    // @if attached
    const file = message.attachments.first();
    const response = file && (await fetch(file.url, { signal: AbortSignal.timeout(15000) }));
    if (response && !response.ok) return await say('QM_UNREADABLE');
    // @end
    const QM_FIELD = QM_VALUE;
    // @if usage
    if (!QM_FIELD) return await say(QM_USAGE);
    // @end
    { // @if get
    const result = await fetch(`QM_QUERY_URL`, {
      // @if token
      headers: { Authorization: process.env.QUARTERMASTER_KEY, Token: message.client.token },
      // @end
      // @if no_token
      headers: { Authorization: process.env.QUARTERMASTER_KEY },
      // @end
      signal: AbortSignal.timeout(15000),
    }).then((response) => response.json()).catch(() => null);
    } // @end
    { // @if post
    const result = await fetch(QM_URL, {
      method: 'POST',
      headers: { Authorization: process.env.QUARTERMASTER_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify(QM_FIELDS),
      signal: AbortSignal.timeout(15000),
    }).then((response) => response.json()).catch(() => null);
    } // @end
    { // @if webhook
    let fields = QM_FIELDS;
    let part = 1;
    let posted = 0;
    const send = () => fetch(QM_URL, {
      method: 'POST',
      headers: { Authorization: process.env.QUARTERMASTER_KEY, 'Content-Type': 'application/json', Webhook: process.env.QUARTERMASTER_WEBHOOK, 'Idempotency-Key': `${message.id}-${part}` },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(15000),
    }).then((response) => response.json()).catch(() => null);
    // After a broken connection it is sent once more: with the same Idempotency-Key, nothing is posted twice.
    const ask = async () => (await send()) ?? (await send());
    let result = await ask();
    // A call posts at most 10 messages. The rest of a longer text goes with the next one.
    for (let call = 2; call <= QM_CALLS_MAX && typeof result?.retry_after === 'number'; call += 1) {
      await new Promise((resolve) => setTimeout(resolve, result.retry_after * 1000));
      if (result.ok) {
        posted += result.sent;
        part += 1;
        fields = QM_REST_FIELDS;
      }
      result = await ask();
    }
    } // @end
    if (!result) return await say('QM_UNREACHABLE');
    if (!result.ok) return await say(result.error);
    // @if time_out
    const member = result.user_id && (await message.guild.members.fetch(result.user_id).catch(() => null));
    if (!member) return await say('QM_NO_MEMBER');
    const isAbove = (one, other) => one.id === message.guild.ownerId || one.roles.highest.comparePositionTo(other.roles.highest) > 0;
    if (!isAbove(message.member, member)) return await say('QM_ABOVE');
    if (result.duration_ms === null || result.duration_ms > 28 * 24 * 60 * 60 * 1000)
      return await say('QM_NO_TIME');
    const may = await fetch(`QM_PERMISSION_URL?guild_id=${message.guildId}&user_id=${message.client.user.id}&permission=MODERATE_MEMBERS&target_id=${member.id}`, {
      headers: { Authorization: process.env.QUARTERMASTER_KEY },
      signal: AbortSignal.timeout(15000),
    }).then((response) => response.json()).catch(() => null);
    if (may?.allowed === false) return await say(may.because.text);
    await member.timeout(result.duration_ms, result.reason?.slice(0, 512));
    await say(`<@${member.id}> is timed out for ${result.duration}. ${result.reason ?? ''}`);
    // @end
    // @if make_role
    const wanted = BigInt(result.bitfield);
    if (!message.member.permissions.has(wanted)) return await say('QM_NOT_YOURS');
    const role = await message.guild.roles.create({ name: 'Helper', permissions: wanted });
    await say(`New role ${role.name}: ${result.permissions.join(', ')}`);
    // @end
    // @if send_chunks
    for (const content of result.chunks)
      await message.channel.send({ content, allowedMentions: { parse: [] } });
    // @end
    // @if make_emoji
    if (!result.emoji_ok) return await say('QM_NO_EMOJI');
    const emoji = await message.guild.emojis.create({ name: 'new_emoji', attachment: result.data_uri });
    await say(`New emoji: ${emoji}`);
    // @end
    // @if list_members
    await say(`${result.count} members. The first ${result.returned}: ${result.members.map((id) => `<@${id}>`).join(' ')}`);
    // @end
    // @if list_roles
    await say([`${result.members} members`, ...result.roles.map((role) => `<@&${role.role_id}>: ${role.count}`)].join('\n'));
    // @end
    // @if post_text
    await say(result.reason ?? `Messages posted: ${posted + result.sent} of ${posted + result.total}`);
    // @end
    // @if show
    await say(`QM_SHOWN`);
    // @end
  } catch (error) {
    console.error(error);
    const reason = error.status === 403 ? "QM_FORBIDDEN" : "QM_FAILED";
    await say(reason).catch(() => {});
  }
});
