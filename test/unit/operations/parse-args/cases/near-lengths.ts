import {
  A,
  afterUser,
  B,
  DAY,
  HOUR,
  line,
  MINUTE,
  MONTH,
  WEEK,
  YEAR,
  type ExpectedLine,
  type LineCase,
} from './line-case.ts';
import { reasonOnly } from './typed-lengths.ts';

const user = { user: `<@${A}>`, user_id: A };

/** A command with its user; of the rest, `reason` stays. */
function command(name: string, rest: string, expected: ExpectedLine = { reason: rest }): LineCase {
  return line(`!${name} <@${A}> ${rest}`, { command: name, ...user, ...expected });
}

/** The minutes after an hour have no unit of their own, and end the line. */
const HOURS_AND_MINUTES: readonly LineCase[] = [
  ...[
    '1 h 30',
    '1h 30',
    '1 H 30',
    '1 hour 30',
    '1 heure 30',
    '1 Std 30',
    '1 saat 30',
    '1 час 30',
    '1 hora 30',
  ].flatMap((typed) => [
    afterUser(typed, [typed, 1.5 * HOUR]),
    afterUser(`${typed}.`, [typed, 1.5 * HOUR]),
    afterUser(`${typed} - spam`, [typed, 1.5 * HOUR], 'spam'),
    afterUser(`${typed}, spam`, [typed, 1.5 * HOUR], 'spam'),
    afterUser(`${typed}: spam`, [typed, 1.5 * HOUR], 'spam'),
    afterUser(`${typed}\nspam`, [typed, 1.5 * HOUR], 'spam'),
    afterUser(`(${typed}) spam`, [typed, 1.5 * HOUR], 'spam'),
  ]),
  afterUser('2 Std 15', ['2 Std 15', 2.25 * HOUR]),
  afterUser('1 d 1 h 30', ['1 d 1 h 30', DAY + 1.5 * HOUR]),
  line('!mute 1 h 30', { command: 'mute', duration: '1 h 30', duration_ms: 1.5 * HOUR }),
  // With words after them, they may be a number of something.
  afterUser('1 h 30 messages', ['1 h', HOUR], '30 messages'),
  afterUser('1 h 60', ['1 h', HOUR], '60'),
  afterUser('1 h 5', ['1 h', HOUR], '5'),
  afterUser('1 h 300', ['1 h', HOUR], '300'),
  afterUser('1 d 30', ['1 d', DAY], '30'),
];

/** The Spanish "y", and ages. */
const Y: readonly LineCase[] = [
  ...[
    '1 y 2',
    '3 y 5',
    '1 y 2, spam',
    '1 y 2 - spam',
    '1 y 2.',
    '1 y 2\nspam',
    '13 y o',
    '13 y o kid',
    '13 y/o',
  ].map(reasonOnly),
  command('warn', '1 y 2'),
  command('warn', '1 y 2 alts'),
  command('advertir', '3 y 5'),
  command('kick', '1 y 2 otra vez'),
  afterUser('1 y 2 alts', ['1 y', YEAR], '2 alts'),
  afterUser('1 y', ['1 y', YEAR]),
  afterUser('1 y spam', ['1 y', YEAR], 'spam'),
  afterUser('1y 2', ['1y', YEAR], '2'),
  afterUser('1 y 6 mo', ['1 y 6 mo', YEAR + 6 * MONTH]),
  command('warn', '1 y 6 mo', { duration: '1 y 6 mo', duration_ms: YEAR + 6 * MONTH }),
];

/** The Portuguese "sem". */
const SEM: readonly LineCase[] = [
  ...[
    'motivo',
    'razão',
    'razao',
    'aviso',
    'prova',
    'justificativa',
    'causa',
    'motivo nenhum',
    'Motivo',
  ].flatMap((noun) => [
    command('avisar', `3 sem ${noun}`),
    reasonOnly(`3 sem ${noun}`),
    reasonOnly(`três sem ${noun}`),
  ]),
  afterUser('3 sem', ['3 sem', 3 * WEEK]),
  afterUser('3 sem spam', ['3 sem', 3 * WEEK], 'spam'),
  afterUser('2 sem sin motivo', ['2 sem', 2 * WEEK], 'sin motivo'),
  afterUser('3sem motivo', ['3sem', 3 * WEEK], 'motivo'),
];

/** Somebody came late. */
const LATENESS: readonly LineCase[] = [
  ...['15 minutos', '2 horas', '15 min', 'uma hora'].flatMap((length) =>
    ['atrasado', 'atrasada', 'atrasados', 'atrasadas para o evento', 'com atraso', 'de atraso'].map(
      (late) => `${length} ${late}`,
    ),
  ),
  ...['zehn Minuten', '2 Stunden', '10 Min', 'eine Stunde'].flatMap((length) =>
    ['verspätet', 'Verspätung', 'verspaetet', 'zu spät', 'Verspätung, schon wieder'].map(
      (late) => `${length} ${late}`,
    ),
  ),
  ...['10 dakika', '2 saat', '10 dk', 'bir saat'].flatMap((length) =>
    ['geç kaldı', 'geç geldi', 'gec geldi', 'gecikti', 'geç katıldı etkinliğe', 'gecikme'].map(
      (late) => `${length} ${late}`,
    ),
  ),
  ...['10 минут', '2 часа', '10 мин', 'час'].flatMap((length) =>
    ['опоздал', 'опоздала', 'опоздали на ивент', 'опоздание', 'опоздания'].map((late) => `${length} ${late}`),
  ),
  ...['15 minutos', '2 horas'].flatMap((length) =>
    ['tarde', 'de retraso', 'con retraso', 'retrasado', 'retrasada'].map((late) => `${length} ${late}`),
  ),
  ...['15 minutes', '2 heures'].flatMap((length) =>
    ['de retard', 'en retard'].map((late) => `${length} ${late}`),
  ),
].map(reasonOnly);

const NO_LATENESS: readonly LineCase[] = [
  afterUser('10 dakika geç', ['10 dakika', 10 * MINUTE], 'geç'),
  afterUser('10m atrasado', ['10m', 10 * MINUTE], 'atrasado'),
];

/** "Without" may say how long something was not done, but only after a single word. */
const WITHOUT: readonly LineCase[] = [
  ...[
    'неделя без варнов не помогла',
    'месяц без причины',
    'полчаса без остановки',
    'fortnight without warnings',
    'quincena sin avisos',
    'Viertelstunde ohne Grund',
  ].map(reasonOnly),
  afterUser('7 days without warning', ['7 days', 7 * DAY], 'without warning'),
  afterUser('7 дней без причины', ['7 дней', 7 * DAY], 'без причины'),
  afterUser('3 Tage ohne Grund', ['3 Tage', 3 * DAY], 'ohne Grund'),
  afterUser('3 jours sans raison', ['3 jours', 3 * DAY], 'sans raison'),
  afterUser('3 días sin motivo', ['3 días', 3 * DAY], 'sin motivo'),
  afterUser('2 dias sem motivo', ['2 dias', 2 * DAY], 'sem motivo'),
  afterUser('на неделю без причины', ['неделю', WEEK], 'без причины'),
  afterUser('(неделя) без причины', ['неделя', WEEK], 'без причины'),
  afterUser('a week without warning', ['a week', WEEK], 'without warning'),
  afterUser('неделя за спам', ['неделя', WEEK], 'за спам'),
];

/** A sum of money. */
const MONEY: readonly LineCase[] = [
  ...[
    'give',
    'pay',
    'tip',
    'bet',
    'gamble',
    'dice',
    'slots',
    'buy',
    'sell',
    'deposit',
    'withdraw',
    'send',
    'transfer',
    'donate',
    'rob',
    'give-money',
    'send_coins',
    'pagar',
    'apostar',
    'depositar',
    'transferir',
    'donner',
    'parier',
    'überweisen',
    'wetten',
    'öde',
    'gönder',
    'перевести',
    'ставка',
    'GIVE',
  ].flatMap((name) => [
    {
      ...command(name, '100m'),
      expected: { ...command(name, '100m').expected, command: name.toLowerCase() },
    },
    line(`!${name} 100M`, { command: name.toLowerCase(), reason: '100M' }),
  ]),
  ...['1.5m', '1,000m', '5k', '3b', '100m please', '100m, thanks'].map((sum) => command('give', sum)),
  line(`!give 100m <@${A}>`, { command: 'give', ...user, reason: '100m' }),
  // Longer than a sum, or for something that lasts.
  command('give', '100 m', { duration: '100 m', duration_ms: 100 * MINUTE }),
  command('give', '1h30m', { duration: '1h30m', duration_ms: 1.5 * HOUR }),
  command('give', '100min', { duration: '100min', duration_ms: 100 * MINUTE }),
  command('give', `<@&${B}> 30m`, { role_id: B, duration: '30m', duration_ms: 30 * MINUTE }),
  command('give', `30m <@&${B}>`, { role_id: B, duration: '30m', duration_ms: 30 * MINUTE }),
  command('give', `<#${B}> 30m x`, { channel_id: B, duration: '30m', duration_ms: 30 * MINUTE, reason: 'x' }),
  command('mute', '100m', { duration: '100m', duration_ms: 100 * MINUTE }),
  command('forgive', '100m', { duration: '100m', duration_ms: 100 * MINUTE }),
  command('giverole', '30m', { duration: '30m', duration_ms: 30 * MINUTE }),
  line('!giveaway 30m Nitro', {
    command: 'giveaway',
    duration: '30m',
    duration_ms: 30 * MINUTE,
    reason: 'Nitro',
  }),
  line('!gstart 30m Nitro', {
    command: 'gstart',
    duration: '30m',
    duration_ms: 30 * MINUTE,
    reason: 'Nitro',
  }),
  command('give', '100m --silent', { reason: '100m', flags: { silent: true } }),
  line(`!give --silent 100m <@${A}>`, { command: 'give', ...user, reason: '100m', flags: { silent: true } }),
];

/** Minutes as Minecraft's plugins write them. */
const MI: readonly LineCase[] = [
  afterUser('15mi Spam', ['15mi', 15 * MINUTE], 'Spam'),
  afterUser('1h15mi', ['1h15mi', 75 * MINUTE]),
  ...['15 mi amigo', '15 mi'].map(reasonOnly),
];

export const NEAR_LENGTHS: readonly LineCase[] = [
  ...HOURS_AND_MINUTES, ...Y, ...SEM, ...LATENESS, ...NO_LATENESS, ...WITHOUT, ...MONEY, ...MI,
]; // prettier-ignore
