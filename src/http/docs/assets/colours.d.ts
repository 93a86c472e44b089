export type CodeKind = 'comment' | 'string' | 'number' | 'keyword' | 'name';

/** The code in pieces, each with the kind that gives it its colour; null for none. Together they are the code. */
export declare function colour(code: string, languageName: string): (readonly [CodeKind | null, string])[];
