// The version of this package, as it names itself to the service. A test keeps it equal to the package's own.

export const version = '0.2.0';
