/** Whether members that are bots are among the results, or are the only ones. */
export const BOT_FILTERS = ['include', 'exclude', 'only'] as const;

export type BotFilter = (typeof BOT_FILTERS)[number];
