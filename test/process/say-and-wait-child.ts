// For tests of scripts/start.js: prints its argument, and runs until a signal ends it.
process.stdout.write(`${process.argv[2] ?? ''}\n`);
setInterval(() => {}, 60_000);
