import type { ClusterOptions } from '../cluster/open-cluster.ts';
import type { DeliverySettings } from '../deliveries/delivery-settings.ts';
import type { ConnectionPeriods } from '../discord/connection/shard-manager.ts';
import type { GuildKeyStoreOptions } from '../guild-keys/guild-key-store.ts';
import type { HttpOptions } from '../http/http-service.ts';
import type { ImageFetchLimits } from '../images/image-fetch-limits.ts';
import type { GatewayMembersOptions } from '../members/gateway/gateway-members-options.ts';
import type { RestMembersOptions } from '../members/rest/rest-members-options.ts';
import type { FailedKeysOptions } from '../rate-limit/failed-keys.ts';
import type { BucketOptions } from '../rate-limit/limiter.ts';

/** Replaces defaults, for tests and development. */
export interface AppOptions {
  readonly http?: Partial<HttpOptions>;
  readonly cluster?: Partial<ClusterOptions>;
  readonly keys?: Partial<GuildKeyStoreOptions>;
  readonly limits?: Partial<BucketOptions>;
  readonly failedKeys?: FailedKeysOptions;
  readonly images?: Partial<ImageFetchLimits>;
  readonly deliveries?: Partial<DeliverySettings>;
  readonly imageNameServers?: readonly string[];
  readonly members?: Partial<Omit<GatewayMembersOptions, 'shardStates'>>;
  readonly restMembers?: Partial<RestMembersOptions>;
  /**
   * Shows the key that a first start makes, with the URL of the API. Without it a first start makes no key, because
   * the key must not end in a log.
   */
  readonly showFirstKey?: (key: string, publicUrl: string, version: string) => void;
  /** See ConnectionPeriods. */
  readonly gateway?: ConnectionPeriods;
  /**
   * Aborts a start: all open parts are closed, and `startApp` rejects with the signal's reason.
   */
  readonly stop?: AbortSignal;
  /** Called with the name of each part before it is closed. */
  readonly onClosing?: (part: string) => void;
}
