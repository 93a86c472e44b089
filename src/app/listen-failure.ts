import { errorCodeOf } from '../kernel/error-code.ts';
import { ExplainedFailure, reasonOf } from '../kernel/explained-failure.ts';

/** A server's address, with the names of the settings that it comes from. */
export interface ListenAddress {
  readonly hostSetting: string;
  readonly host: string;
  readonly portSetting: string;
  readonly port: number;
}

/** Explains why a server cannot listen, in one sentence for operators that names the setting to change. */
export function toListenFailure(cause: unknown, address: ListenAddress): ExplainedFailure {
  const { hostSetting, host, portSetting, port } = address;
  switch (errorCodeOf(cause)) {
    case 'EADDRINUSE':
      return new ExplainedFailure(
        `${portSetting} ${port} is in use by another program on ${host}: set ${portSetting} to another port.`,
        { cause },
      );
    case 'EACCES':
      return new ExplainedFailure(`${portSetting} ${port} may not be opened by this user.`, { cause });
    case 'EADDRNOTAVAIL':
      return new ExplainedFailure(
        `${hostSetting} ${host} is not an IP address of this machine: use 0.0.0.0 for all that it has.`,
        { cause },
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new ExplainedFailure(`${hostSetting} ${host} cannot be resolved to an IP address.`, {
        cause,
      });
    default: {
      const reason = reasonOf(cause);
      return new ExplainedFailure(
        `${hostSetting} ${host} and ${portSetting} ${port} cannot be listened on: ${reason}`,
        {
          cause,
        },
      );
    }
  }
}
