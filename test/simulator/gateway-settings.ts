/** Each may be changed while running. */
export interface GatewaySettings {
  /** 41250 when left out, as on Discord. */
  heartbeatIntervalMs: number;
  /** Payloads a connection may send in a window before it is closed with 4008; 120 in 60 s when left out. */
  sendLimit: { count: number; windowMs: number };
  /** Identifies that may run at once: the number of buckets of `shard % maxConcurrency`; 1 when left out. */
  maxConcurrency: number;
  /**
   * Milliseconds that an identify blocks its bucket. An earlier one gets an invalid session. 5000 on Discord; 0 when
   * left out: everything is let through and only recorded.
   */
  identifyWindowMs: number;
  /** As GET /gateway/bot recommends; 1 when left out. */
  recommendedShards: number;
  /** Identifies a day; 1000 when left out. Each identify takes one. */
  identifiesLeft: number;
  /** Members in a chunk; 1000 when left out, as on Discord. */
  chunkSize: number;
  /**
   * Milliseconds after a request for all members of a guild in which the next one by the same bot is answered with
   * RATE_LIMITED. 30000 on Discord; 0 when left out: never.
   */
  memberRequestWindowMs: number;
  /** Every IDENTIFY is answered with an invalid session. */
  refuseIdentifies: boolean;
  /** Every IDENTIFY of this shard is answered with an invalid session; null when left out: none. */
  refusedShard: number | null;
  /** Every RESUME is answered with an invalid session. */
  refuseResumes: boolean;
  /** No heartbeat is acknowledged. */
  ignoreHeartbeats: boolean;
  /** `resume_gateway_url` of READY, right or wrong; null when left out: the address of this simulator. */
  resumeUrl: string | null;
  /** A client that does not say a User-Agent is closed, as a Spacebar does. */
  needsUserAgent: boolean;
}

export function makeGatewaySettings(settings: Partial<GatewaySettings>): GatewaySettings {
  return {
    heartbeatIntervalMs: 41_250,
    sendLimit: { count: 120, windowMs: 60_000 },
    maxConcurrency: 1,
    identifyWindowMs: 0,
    recommendedShards: 1,
    identifiesLeft: 1000,
    chunkSize: 1000,
    memberRequestWindowMs: 0,
    refuseIdentifies: false,
    refusedShard: null,
    refuseResumes: false,
    ignoreHeartbeats: false,
    resumeUrl: null,
    needsUserAgent: false,
    ...settings,
  };
}
