// The consent files of an auth flow as a table.

import type { Table } from '../../tables/table.ts';

export function filesTable(files: readonly any[]): Table {
  return {
    id: 'files',
    caption: 'Consent files, stored encrypted',
    columns: [
      { key: 'name', title: 'Name', kind: 'text' },
      { key: 'expected', title: 'Which', kind: 'text' },
      { key: 'type', title: 'Type', kind: 'text' },
      { key: 'size', title: 'Bytes', kind: 'number', digits: 0 },
      { key: 'date', title: 'Handed in', kind: 'date' },
    ],
    rows: files.map((file) => ({
      cells: [
        { value: file.name },
        { value: file.expected_file ?? 'Another' },
        { value: file.media_type },
        { value: String(file.size) },
        { value: file.created_at.slice(0, 10) },
      ],
    })),
  };
}
