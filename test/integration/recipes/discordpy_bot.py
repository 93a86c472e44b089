"""A bot of discord.py in a server of the simulator. It takes recipes from stdin, a line of JSON each."""

import asyncio
import functools
import json
import os
import sys
import threading
import traceback

import discord
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket

API_URL, GATEWAY_URL, TOKEN = sys.argv[1:]
discord.http.Route.BASE = API_URL + "/v10"
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(GATEWAY_URL)
DiscordWebSocket.from_client = functools.partial(DiscordWebSocket.from_client, zlib=False)

# As the steps of the recipe say.
intents = discord.Intents.default()
intents.message_content = True
bot = commands.Bot(command_prefix="!", intents=intents)


def say(word):
    print(word, flush=True)


def install(code, env):
    for command in list(bot.commands):
        if command.name != "help":
            bot.remove_command(command.name)
    os.environ.update(env)
    try:
        exec(compile(code, "recipe.py", "exec"), {"bot": bot})
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    say("installed")


def read_recipes(loop):
    for line in sys.stdin:
        loop.call_soon_threadsafe(install, *json.loads(line))
    loop.call_soon_threadsafe(sys.exit, 0)


@bot.event
async def on_ready():
    threading.Thread(target=read_recipes, args=(asyncio.get_running_loop(),), daemon=True).start()
    say("ready")


@bot.event
async def on_command_error(ctx, error):
    pass


@bot.event
async def on_message(message):
    try:
        await bot.process_commands(message)
    finally:
        say("done " + str(message.id))


bot.run(TOKEN, log_handler=None)
