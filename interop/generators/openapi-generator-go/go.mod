module interop

go 1.23
