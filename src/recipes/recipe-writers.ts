import type { BuilderId } from './builders.ts';
import { aoiJs } from './dollar-functions/aoijs.ts';
import { bdfd } from './dollar-functions/bdfd.ts';
import { botGhost } from './forms/botghost.ts';
import { curl } from './curl.ts';
import { discordBotMaker } from './forms/discord-bot-maker.ts';
import { discordJs } from './code/discord-js.ts';
import { discordPy } from './code/discord-py.ts';
import { forgeScript } from './dollar-functions/forgescript.ts';
import { kite } from './forms/kite.ts';
import { make } from './forms/make.ts';
import { n8n } from './n8n.ts';
import type { RecipeWriter } from './recipe-writer.ts';
import { zapier } from './forms/zapier.ts';

export const RECIPE_WRITERS: Readonly<Record<BuilderId, RecipeWriter>> = {
  bdfd,
  botghost: botGhost,
  kite,
  aoijs: aoiJs,
  forgescript: forgeScript,
  discord_bot_maker: discordBotMaker,
  n8n,
  make,
  zapier,
  discordjs: discordJs,
  discordpy: discordPy,
  curl,
};
