/** Milliseconds of each unit. A month has 30 days, a year 365. */
export const UNIT_MS = {
  year: 365 * 86_400_000,
  month: 30 * 86_400_000,
  week: 7 * 86_400_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
} as const;

/** The words of one language for lengths of time. Words are separated by blanks, phrases are lists. */
export interface TimeLanguage {
  readonly tag: string;
  /**
   * The source of the words, besides the CLDR in Node (`Intl.NumberFormat` with `style: 'unit'`), whose long and short
   * forms a test looks up here. Cases that the CLDR does not list are those of the noun's entry in Wiktionary.
   */
  readonly source: string;
  readonly units: Readonly<Record<keyof typeof UNIT_MS, string>>;
  /** Half of a unit in one word. */
  readonly halves?: Readonly<Partial<Record<keyof typeof UNIT_MS, string>>>;
  /** Without an end. These also count directly after the target when a reason follows: `perm spamming`. */
  readonly permanent: string;
  /** Without an end, but often part of a sentence ("forever alone"): a word after them makes them prose. */
  readonly endless: string;
  /** The same as two words. */
  readonly endlessPhrases: readonly string[];
  /** May join two parts of a duration, or two targets. */
  readonly and: string;
  /** May join two targets. */
  readonly or: string;
  /** May come before a duration. */
  readonly for: string;
  /** May come before a duration directly after the command: "in 10 minutes". */
  readonly in: string;
  /** May come before a timestamp. */
  readonly until: string;
  /** A permanent word counts when one of these follows. */
  readonly prepositions: string;
  /** After a written-out duration these make it part of a sentence. Words that also begin a reason are not listed. */
  readonly prose: string;
  readonly prosePhrases: readonly string[];
  /**
   * These do the same after any duration of any language, also without a blank before its unit: `5m ago`, `2d old alt`.
   * The length of a punishment is never followed by them.
   */
  readonly past: string;
  readonly pastPhrases: readonly string[];
}

/**
 * Accents may be omitted (`gun`, `annee`). A word that English has too is listed only there, so that the prose after it
 * is judged as English. Words with two meanings are decided here: `m` is minutes and never months (CLDR: es, fr), `a`
 * and `J` are not years (es, de), `g` is not a day (tr, because of "5g").
 */
export const TIME_LANGUAGES: readonly TimeLanguage[] = [
  {
    tag: 'en',
    source: 'vercel/ms, @sapphire/duration',
    units: {
      year: 'y yr yrs year years',
      month: 'mo mos mon mth mths month months',
      week: 'w wk wks week weeks',
      day: 'd day days',
      hour: 'h hr hrs hour hours',
      minute: 'm min mins minute minutes',
      second: 's sec secs second seconds',
    },
    permanent: 'perm perma permanent permanently',
    endless: 'forever indef indefinite indefinitely inf infinite infinity lifetime',
    endlessPhrases: ['for ever', 'for life', 'for good'],
    and: 'and',
    or: 'or',
    for: 'for',
    in: 'in',
    until: 'until till til',
    prepositions:
      'for due because bc cause as after until till unless from on in at by with without over since under per via during about against',
    prose: `of older late later early earlier before after afterwards since apart straight long longer worth
      into behind ahead away younger overdue consecutively left between new age version loop challenge notice`,
    prosePhrases: [
      'in a row',
      'on end',
      'at a time',
      'from now',
      'prior to',
      'per hour',
      'per day',
      'per week',
      'per month',
      'and counting',
      'too late',
      'too early',
      'too long',
      'so far',
      'account age',
      'account old',
    ],
    past: 'ago old',
    pastPhrases: ['of age'],
  },
  {
    tag: 'ru',
    source: 'jkroso/parse-duration locale/ru.js, nabektur/little-angel-bot modules/time_converter.py',
    units: {
      year: 'г л год года году годом годе годы годов лет годик годика',
      month: 'мес месяц месяца месяцу месяцем месяце месяцы месяцев',
      week: 'н нед неделя недели неделе неделю неделей недель недельку',
      day: 'д дн день дня дню днём днем дне дни дней денёк сут сутки суток',
      hour: 'ч час часа часу часом часе часы часов часик часика',
      minute: 'м мин минута минуты минуте минуту минутой минут минутку минуток',
      second: 'с сек секунда секунды секунде секунду секундой секунд',
    },
    halves: { year: 'полгода', month: 'полмесяца', day: 'полдня', hour: 'полчаса', minute: 'полминуты' },
    permanent:
      'навсегда перм перма пермач перманент перманентно перманентный бессрочно бессрочный пожизненно',
    endless: 'навечно вечно бесконечно',
    endlessPhrases: ['на всегда', 'без срока'],
    and: 'и',
    or: 'или',
    for: 'на',
    in: 'через',
    until: 'до',
    prepositions: 'за из по для с со от до в на без при после потому',
    prose: 'спустя позже раньше подряд после',
    prosePhrases: ['до этого', 'до того'],
    past: 'назад тому',
    pastPhrases: ['от роду'],
  },
  {
    tag: 'fr',
    source: 'jkroso/parse-duration locale/fr.js; `mn` as people write it',
    units: {
      year: 'an ans année années',
      month: 'mois',
      week: 'sem semaine semaines',
      day: 'j jr jrs jour jours journée journées',
      hour: 'heure heures',
      minute: 'mn minute minutes',
      second: 'seconde secondes',
    },
    permanent: 'permanent permanente permanents permanentes définitif définitive définitivement',
    endless: 'indéfini indéfiniment infini toujours',
    endlessPhrases: ['à vie', 'pour toujours', 'à jamais'],
    and: 'et',
    or: 'ou',
    for: 'pour pendant durant',
    in: 'dans',
    until: 'jusque',
    prepositions: 'pour par car suite après à sans avec depuis dans',
    prose: 'avant après auparavant',
    prosePhrases: [
      "d'affilée",
      'de suite',
      'plus tôt',
      'plus tard',
      'trop tard',
      'de retard',
      'en retard',
      "d'avance",
    ],
    past: '',
    pastPhrases: ["d'âge", "d'ancienneté"],
  },
  {
    tag: 'es',
    source: 'jkroso/parse-duration locale/es.js; `hs` and `seg` as people write them',
    units: {
      year: 'año años',
      month: 'mes meses',
      week: 'sem sems semana semanas',
      day: 'día días',
      hour: 'hs hora horas',
      minute: 'minuto minutos',
      second: 'seg segs segundo segundos',
    },
    permanent: 'permanente permanentemente definitivo definitivamente indefinidamente',
    endless: 'indefinido indefinida infinito siempre',
    endlessPhrases: ['para siempre', 'por siempre', 'de por vida', 'sin límite'],
    and: 'y e',
    or: 'o u',
    for: 'por durante',
    until: 'hasta',
    in: 'en',
    prepositions: 'por para debido porque tras hasta desde en con sin a',
    prose: 'antes después seguidos seguidas tarde',
    prosePhrases: ['más tarde', 'de retraso'],
    past: 'atrás atras',
    pastPhrases: ['de edad', 'de antigüedad'],
  },
  {
    tag: 'pt-BR',
    source: 'jkroso/parse-duration locale/pt.js',
    units: {
      year: 'ano anos',
      month: 'mês meses',
      week: 'sem sems semana semanas',
      day: 'dia dias',
      hour: 'hora horas',
      minute: 'minuto minutos',
      second: 'seg segs segundo segundos',
    },
    permanent: 'permanente permanentemente definitivo definitivamente indefinidamente vitalício',
    endless: 'indefinido infinito eterno sempre',
    endlessPhrases: ['para sempre', 'pra sempre'],
    and: 'e',
    or: 'ou',
    for: 'por durante',
    until: 'até',
    in: 'em',
    prepositions: 'por para pra devido porque após até desde em com sem a',
    prose: 'antes depois seguidos seguidas tarde',
    prosePhrases: ['de atraso', 'mais tarde'],
    past: 'atrás atras',
    pastPhrases: ['de idade'],
  },
  {
    tag: 'de',
    source: 'jkroso/parse-duration locale/de.js',
    units: {
      year: 'Jahr Jahre Jahren Jahres',
      month: 'Monat Monate Monaten Monats',
      week: 'Wo Woche Wochen',
      day: 'Tg Tag Tage Tagen Tages',
      hour: 'Std Stdn Stunde Stunden',
      minute: 'Minuten',
      second: 'Sek Sekunde Sekunden',
    },
    permanent: 'dauerhaft permanent permanenter unbefristet lebenslang lebenslänglich',
    endless: 'ewig endlos unendlich immer',
    endlessPhrases: ['für immer', 'auf dauer', 'auf ewig'],
    and: 'und',
    or: 'oder',
    for: 'für fuer',
    in: 'in',
    until: 'bis',
    prepositions: 'wegen für fuer weil aufgrund da nach ab bis seit mit ohne im in an bei durch',
    prose: 'alt alte alter alten altes später früher nach vor seit zuvor danach hintereinander',
    prosePhrases: ['in folge', 'am stück', 'zu spät', 'zu früh'],
    past: '',
    pastPhrases: [],
  },
  {
    tag: 'tr',
    source:
      'EmojiPati/v12-kyuu komutlar/koruma/mute.js (`sn`, `dk`, `sa`); `-lık` and `-lığına` say for how long',
    units: {
      year: 'yıl yılı yıla yıllık yıllığına sene senelik seneliğine',
      month: 'ay ayı aya aylık aylığına',
      week: 'hf haftalık haftalığına hafta haftayı haftaya',
      day: 'gün günü güne günlük günlüğüne',
      hour: 'sa saat saati saate saatlik saatliğine',
      minute: 'dk dak dakika dakikayı dakikaya dakikalık dakikalığına',
      second: 'sn san saniye saniyeyi saniyeye saniyelik saniyeliğine',
    },
    permanent: 'kalıcı süresiz sınırsız temelli daimi',
    endless: 'sonsuz sonsuza ömürlük',
    endlessPhrases: ['sonsuza kadar', 'sonsuza dek', 'ömür boyu'],
    and: 've',
    or: 'veya',
    for: '',
    in: '',
    until: '',
    prepositions: 'için nedeniyle yüzünden',
    prose: 'sonra',
    prosePhrases: ['üst üste', 'geç kaldı'],
    past: 'önce evvel yaşında',
    pastPhrases: [],
  },
];
