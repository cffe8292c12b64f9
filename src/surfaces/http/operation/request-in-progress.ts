// Thrown by a wire when the same request is being performed elsewhere, so that its transaction ends and it is performed again later.

export class RequestInProgress extends Error {
  override readonly name = 'RequestInProgress';
}
