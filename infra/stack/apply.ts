import { addApiStage, addSocketLog, addWebAcl } from './api-stage.ts';
import { addCanary, type CanaryFunction } from './canary.ts';
import { backUp, encryptWith, lockFiles, retainLogs } from './data.ts';
import { enterNetwork } from './network.ts';
import type { Parameters } from './parameters.ts';
import type { Stack } from './template.ts';

/** The service whose files are evidence. */
const KEEPS_EVIDENCE = 'documents';

// A deploy of the session server is a new `Sessions:Epoch`, which ends the sessions on certificates of the vault. Two versions
// side by side would refuse each other's sessions, as 401, for as long as a canary lasts, and its alarm looks at 5xx.
const CHANGES_AT_ONCE = 'session';

/**
 * Finishes the template of a service: the APIs' stages and their logs, logs that are kept, and what the parameters ask for.
 * @example applyParameters({ service: 'hub', stage: 'prod', resources }, { backupDays: '35' }, [])
 */
export function applyParameters(stack: Stack, given: Parameters, signing: readonly CanaryFunction[]): void {
  retainLogs(stack.resources);
  if (given.canary && stack.service !== CHANGES_AT_ONCE) addCanary(stack, given.canary, signing);
  // After what changes methods: the name of the API's deployment is made of them.
  addApiStage(stack);
  addSocketLog(stack);
  if (given.webAcl) addWebAcl(stack, given.webAcl);
  if (given.kmsKey) encryptWith(stack, given.kmsKey);
  if (given.objectLockDays && stack.service === KEEPS_EVIDENCE) lockFiles(stack, given.objectLockDays);
  if (given.subnets && given.securityGroups)
    enterNetwork(stack, { subnets: given.subnets, securityGroups: given.securityGroups });
  if (given.backupDays) backUp(stack, given.backupDays, given.kmsKey);
}
