// For tests of scripts/start.js: prints its argument, and ends with the code of a second one, or runs until a signal.
const [, , words = '', code] = process.argv;
process.stdout.write(`${words}\n`);
if (code === undefined) setInterval(() => {}, 60_000);
else process.exitCode = Number(code);
