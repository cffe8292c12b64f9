// The environment of a program that a test starts: without the settings of the tests, and with their compile cache.

export const programEnvironment: Readonly<NodeJS.ProcessEnv> = Object.fromEntries(
  ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]),
);
