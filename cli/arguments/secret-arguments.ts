const SECRETS = /^--(pin|password|pass|senha)(=|$)/;

/**
 * Refuses a secret on the command line. The message does not repeat the secret: it may end in a log.
 * @example refuseSecretArguments(argv, { name: 'PIN', option: 'pin' })
 */
export function refuseSecretArguments(
  argv: readonly string[],
  { name, option }: { readonly name: string; readonly option: string },
): void {
  if (argv.some((word) => SECRETS.test(word)))
    throw new Error(
      `A ${name} cannot be an argument: everyone on the machine could see it. Give --${option}-file FILE or --${option}-env NAME, or type it when asked.`,
    );
}
