export const BOT_CHOICES = ['include', 'exclude', 'only'] as const;

export type BotChoice = (typeof BOT_CHOICES)[number];
