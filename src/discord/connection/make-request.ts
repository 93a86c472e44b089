/**
 * How REST reaches Discord: over Node's own fetch. By default it uses its own copy of undici, which cannot upload files
 * after another version of undici has taken the place that all copies share.
 * @param init what fetch takes; REST and Node describe it by the types of different versions
 * @throws what fetch throws; for a failure of the network its cause, because REST reads the code of that to decide
 *   whether to try again
 */
export async function makeRequest(url: string, init: never): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  }
}
