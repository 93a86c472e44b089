/**
 * Makes the value with the first call, and returns it from then on. For tables that every start would pay for, and that
 * few requests need.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
