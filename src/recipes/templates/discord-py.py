import asyncio, os
# @if make_emoji
import base64
# @end
# @if time_out
import datetime
# @end
import aiohttp, discord
from discord.ext import commands

@bot.command()
@commands.guild_only()
# @if permission
@commands.has_guild_permissions(QM_PERMISSION=True)
# @end
async def QM_COMMAND(ctx):
    async def say(text):
        await ctx.reply(text[:2000], allowed_mentions=discord.AllowedMentions.none())

    # @if attached
    if ctx.message.attachments:
        text = (await ctx.message.attachments[0].read()).decode()
    else:
        text = ctx.message.content[len(ctx.prefix + ctx.invoked_with):].strip()
    # @end
    # @if value
    QM_FIELD = QM_VALUE
    # @end
    # @if usage
    if not QM_FIELD:
        return await say(QM_USAGE)
    # @end
    endpoint = QM_URL
    fields = QM_FIELDS
    # @if webhook
    part, posted = 1, 0
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15)) as session:
        # A call posts at most 10 messages. The rest of a longer text goes with the next one.
        for call in range(1, QM_CALLS_END):
            headers = {"Authorization": os.environ["QUARTERMASTER_KEY"], "Webhook": os.environ["QUARTERMASTER_WEBHOOK"], "Idempotency-Key": f"{ctx.message.id}-{part}"}
            async with session.post(endpoint, headers=headers, json=fields) as response:
                result = await response.json()
            if result.get("retry_after") is None or call == QM_CALLS_MAX:
                break
            await asyncio.sleep(result["retry_after"])
            if result["ok"]:
                posted += result["sent"]
                part += 1
                fields = QM_REST_FIELDS
    # @end
    # @if token
    headers = {"Authorization": os.environ["QUARTERMASTER_KEY"], "Token": ctx.bot.http.token}
    # @end
    # @if no_token
    headers = {"Authorization": os.environ["QUARTERMASTER_KEY"]}
    # @end
    # @if get
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15)) as session:
        async with session.get(endpoint, headers=headers, params=fields) as response:
            result = await response.json()
    # @end
    # @if post
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15)) as session:
        async with session.post(endpoint, headers=headers, json=fields) as response:
            result = await response.json()
    # @end
    if not result["ok"]:
        return await say(result["error"])
    # @if time_out
    try:
        member = await ctx.guild.fetch_member(int(result["user_id"] or 0))
    except discord.NotFound:
        return await say("QM_NO_MEMBER")
    owner_id = ctx.guild.owner_id
    if ctx.author.id != owner_id and (member.id == owner_id or ctx.author.top_role <= member.top_role):
        return await say("QM_ABOVE")
    seconds = result["duration_seconds"]
    if seconds is None or seconds > 28 * 24 * 60 * 60:
        return await say("QM_NO_TIME")
    reason = result["reason"] or "no reason"
    endpoint = QM_PERMISSION_URL
    fields = {"guild_id": str(ctx.guild.id), "user_id": str(ctx.bot.user.id), "permission": "MODERATE_MEMBERS", "target_id": str(member.id)}
    headers = {"Authorization": os.environ["QUARTERMASTER_KEY"]}
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15)) as session:
        async with session.get(endpoint, headers=headers, params=fields) as response:
            may = await response.json()
    if may.get("allowed") is False:
        return await say(may["because"]["text"])
    await member.timeout(datetime.timedelta(seconds=seconds), reason=reason[:512])
    await say(f"{member.mention} is timed out for {result['duration']}. {result['reason'] or ''}")
    # @end
    # @if make_role
    permissions = discord.Permissions(int(result["bitfield"]))
    if not ctx.author.guild_permissions.is_superset(permissions):
        return await say("QM_NOT_YOURS")
    role = await ctx.guild.create_role(name="Helper", permissions=permissions)
    await say(f"New role {role.name}: {', '.join(result['permissions'])}")
    # @end
    # @if send_chunks
    for chunk in result["chunks"]:
        await ctx.send(chunk, allowed_mentions=discord.AllowedMentions.none())
    # @end
    # @if make_emoji
    if not result["emoji_ok"]:
        return await say("QM_NO_EMOJI")
    image = base64.b64decode(result["data_uri"].partition(",")[2])
    emoji = await ctx.guild.create_custom_emoji(name="new_emoji", image=image)
    await say(f"New emoji: {emoji}")
    # @end
    # @if list_members
    members = " ".join(f"<@{user_id}>" for user_id in result["members"])
    await say(f"{result['count']} members. The first {result['returned']}: {members}")
    # @end
    # @if list_roles
    roles = [f"<@&{role['role_id']}>: {role['count']}" for role in result["roles"]]
    await say("\n".join([f"{result['members']} members", *roles]))
    # @end
    # @if post_text
    await say(result["reason"] or f"Messages posted: {posted + result['sent']} of {posted + result['total']}")
    # @end
    # @if show
    await say(QM_SHOWN)
    # @end

@QM_COMMAND.error
async def QM_COMMAND_failed(ctx, error):
    if isinstance(error, commands.NoPrivateMessage):
        return
    # @if permission
    if isinstance(error, commands.MissingPermissions):
        return await ctx.reply("QM_NEEDS")
    # @end
    error = getattr(error, "original", error)
    if isinstance(error, discord.Forbidden):
        return await ctx.reply("QM_FORBIDDEN")
    if isinstance(error, (aiohttp.ClientError, asyncio.TimeoutError)):
        return await ctx.reply("QM_UNREACHABLE")
    await ctx.reply("QM_FAILED")
    raise error
