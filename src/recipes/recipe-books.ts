import type { ToolId } from '../guild-keys/builders.ts';
import { aoiJs } from './aoijs.ts';
import { bdfd } from './bdfd.ts';
import { botGhost } from './botghost.ts';
import { curl } from './curl.ts';
import { discordBotMaker } from './discord-bot-maker.ts';
import { discordJs } from './discord-js.ts';
import { discordPy } from './discord-py.ts';
import { forgeScript } from './forgescript.ts';
import { kite } from './kite.ts';
import { make } from './make.ts';
import { n8n } from './n8n.ts';
import type { RecipeBook } from './recipe.ts';
import { zapier } from './zapier.ts';

export const RECIPE_BOOKS: Readonly<Record<ToolId, RecipeBook>> = {
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
