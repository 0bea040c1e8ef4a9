/**
 * The types of operational events, each with the short name of its view. A month of hourly counts in every view is one
 * item, which has room for short names only. Neither name is ever changed.
 */
export const EVENT_TYPES = {
  JobCreated: 'jn',
  JobPickedForProcessing: 'jp',
  OutputFileCreated: 'of',
  JobCompleted: 'jc',
  JobFailed: 'jf',
  JobCanceled: 'jx',
  JobDeleted: 'jd',
  JobTakenOver: 'jt',
  JobsCleared: 'jr',
  InputDiverged: 'id',
  FolderAssigned: 'fa',
  Cnab240ValidationFailed: 'cv',
  Cnab240PaymentDatePassed: 'cd',
  ApprovalRecorded: 'aa',
  ApprovalRejected: 'ar',
  ApprovalExpired: 'ae',
  SecondFactorEnrolled: 'fe',
  SecondFactorLocked: 'fl',
  SecondFactorReset: 'fr',
  ApprovalMailFailed: 'am',
  PipelinePaused: 'pp',
  PipelineResumed: 'pr',
  ProfileChanged: 'sp',
  InstanceStoodDown: 'is',
  InstanceResumed: 'ir',
  ServiceStopped: 'ss',
  CleanupRan: 'cr',
  SignerSweepFailed: 'sw',
  JobDispatched: 'js',
  SignerDispatchFailed: 'sd',
} as const;

export type EventType = keyof typeof EVENT_TYPES;
