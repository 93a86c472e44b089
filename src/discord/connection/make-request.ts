/**
 * How REST reaches Discord: over Node's own fetch. Left to itself it brings another copy of undici, which uploads no
 * files once a further version of undici has put itself in the place that all copies share.
 * @param init what fetch takes; REST and Node describe it by the types of different versions
 * @throws as fetch does, but what went wrong on the wire by itself: REST reads its code to try once more
 */
export async function makeRequest(url: string, init: never): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  }
}
