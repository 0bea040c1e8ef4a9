import { addApiStage, addWebAcl } from './api-stage.ts';
import { addCanary, type CanaryFunction } from './canary.ts';
import { backUp, encryptWith, lockFiles, retainLogs } from './data.ts';
import { enterNetwork } from './network.ts';
import type { Parameters } from './parameters.ts';
import type { Stack } from './template.ts';

/** The service whose files are evidence. */
const KEEPS_EVIDENCE = 'documents';

/**
 * Finishes the template of a service: the API's stage and its log, logs that are kept, and what the parameters ask for.
 * @example applyParameters({ service: 'hub', stage: 'prod', resources }, { backupDays: '35' }, [])
 */
export function applyParameters(stack: Stack, given: Parameters, signing: readonly CanaryFunction[]): void {
  retainLogs(stack.resources);
  if (given.canary) addCanary(stack, given.canary, signing);
  // After what changes methods: the name of the API's deployment is made of them.
  addApiStage(stack);
  if (given.webAcl) addWebAcl(stack, given.webAcl);
  if (given.kmsKey) encryptWith(stack, given.kmsKey);
  if (given.objectLockDays && stack.service === KEEPS_EVIDENCE) lockFiles(stack, given.objectLockDays);
  if (given.subnets && given.securityGroups)
    enterNetwork(stack, { subnets: given.subnets, securityGroups: given.securityGroups });
  if (given.backupDays) backUp(stack, given.backupDays, given.kmsKey);
}
