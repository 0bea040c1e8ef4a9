import type { Framework } from '../../plugins/framework.ts';

/**
 * Gives the framework the command `offline`. It is of a development package, and serverless.yml is read for every command:
 * no other one loads it.
 */
export default class OfflineCommand {
  readonly asyncInit: () => Promise<void>;

  constructor({ processedInput, pluginManager, classes }: Framework) {
    this.asyncInit = async () => {
      if (processedInput.commands[0] !== 'offline') return;
      const { OfflinePlugin } = await import('./plugin.ts').catch((error) => {
        if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
        throw new classes.Error(`Run \`npm ci\`, with development packages. ${error.message}`, 'SINETE');
      });
      pluginManager.addPlugin(OfflinePlugin);
    };
  }
}
