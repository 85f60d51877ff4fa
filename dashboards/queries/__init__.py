"""What pages ask the snapshot: short SQL, data in bound parameters only. A query knows nothing of pages."""
