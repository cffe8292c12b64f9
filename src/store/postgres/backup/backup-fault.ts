// Why a backup could not be made or restored, in words for the operator.

export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}
