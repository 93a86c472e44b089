/**
 * One line on what the tenant got who shares the service: its hostile requests aside.
 * @param statuses how many answers there were, by operation and status ("key 200")
 * @param lost requests whose connection ended without an answer
 */
export function describeTenant(statuses: ReadonlyMap<string, number>, lost: number): string {
  const own = [...statuses].filter(([name]) => !name.startsWith('hostile '));
  const succeeded = own.filter(isSuccess).reduce((sum, [, count]) => sum + count, 0);
  const refused = own.filter((entry) => !isSuccess(entry)).map(([name, count]) => `${name}: ${count}`);
  return (
    `before SIGTERM, hostile requests aside: ${succeeded} succeeded, ${lost} without an answer, ` +
    `refused: ${refused.join(', ') || 'none'} (a server has two images at once and eight waiting, so this load is refused most of its images)`
  );
}

function isSuccess([name]: readonly [string, number]): boolean {
  return Number(name.slice(-3)) < 300;
}
